//! `truncate(s, offset, max_width)`: at most `max_width` characters of s, from the character at `offset` on.

#[macro_use]
mod genmorph;

fn truncate(s: &str, offset: i32, max_width: i32) -> String {
    assert!(offset >= 0 && max_width >= 0);
    let mut truncated = String::new();
    let mut index = 0;
    for c in s.chars() {
        if index >= offset && index - offset < max_width {
            truncated.push(c);
        }
        index += 1;
    }
    truncated
}

genmorph! { truncate: func(s: string, offset: s32, max_width: s32) -> string }
