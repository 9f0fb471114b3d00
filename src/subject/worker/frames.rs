//! Bytes of a reply, read piece by piece; little-endian.

/// A reply that makes no sense: the other side is not ours, or the function writes to the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::subject) struct Garbled;

/// Reads a reply from its beginning. Nothing that it contains can do harm: what is missing is [`Garbled`].
pub(in crate::subject) struct Reader<'b> {
    bytes: &'b [u8],
}

impl<'b> Reader<'b> {
    pub(in crate::subject) fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader { bytes }
    }

    /// Takes the next `length` bytes of the frame.
    pub(in crate::subject) fn take(&mut self, length: usize) -> Result<&'b [u8], Garbled> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or(Garbled)?;
        self.bytes = rest;
        Ok(taken)
    }

    /// All bytes that are left.
    pub(in crate::subject) fn rest(&mut self) -> &'b [u8] {
        std::mem::take(&mut self.bytes)
    }

    pub(in crate::subject) fn u8(&mut self) -> Result<u8, Garbled> {
        self.one(u8::from_le_bytes)
    }

    pub(in crate::subject) fn u32(&mut self) -> Result<u32, Garbled> {
        self.one(u32::from_le_bytes)
    }

    pub(in crate::subject) fn f64(&mut self) -> Result<f64, Garbled> {
        self.one(f64::from_le_bytes)
    }

    fn one<T, const N: usize>(&mut self, read: fn([u8; N]) -> T) -> Result<T, Garbled> {
        let bytes = self.take(N)?;
        Ok(read(bytes.try_into().expect("as many bytes as were taken")))
    }

    /// Several values of `N` bytes each.
    pub(in crate::subject) fn many<T, const N: usize>(
        &mut self,
        count: usize,
        read: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>, Garbled> {
        let bytes = self.take(count.checked_mul(N).ok_or(Garbled)?)?;
        let (chunks, _) = bytes.as_chunks::<N>();
        Ok(chunks.iter().map(|chunk| read(*chunk)).collect())
    }

    /// Checks that nothing is left.
    pub(in crate::subject) fn end(&self) -> Result<(), Garbled> {
        if self.bytes.is_empty() { Ok(()) } else { Err(Garbled) }
    }
}
