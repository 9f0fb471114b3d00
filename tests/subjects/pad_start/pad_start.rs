//! `pad_start(text, n, c)`: the text with the character c before it until it has n characters.

#[macro_use]
mod genmorph;

fn pad_start(text: &str, n: i32, c: char) -> String {
    let mut padded = String::new();
    let mut missing = n - text.chars().count() as i32;
    while missing > 0 {
        padded.push(c);
        missing -= 1;
    }
    padded.push_str(text);
    padded
}

genmorph! { pad_start: func(text: string, n: s32, c: char) -> string }
