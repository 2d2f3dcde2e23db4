//! Arithmetic on decimal digits.

pub fn double(digits: &mut Vec<u8>) {
    let mut carry = 0;
    for digit in digits.iter_mut() {
        let twice = *digit * 2 + carry;
        *digit = twice % 10;
        carry = twice / 10;
    }
    if carry > 0 {
        digits.push(carry);
    }
}

pub fn increment(digits: &mut Vec<u8>) {
    for digit in digits.iter_mut() {
        if *digit < 9 {
            *digit += 1;
            return;
        }
        *digit = 0;
    }
    digits.push(1);
}

pub fn add(left: &[u8], right: &[u8]) -> Vec<u8> {
    let mut carry = 0;
    let mut sum = Vec::with_capacity(left.len().max(right.len()) + 1);
    for at in 0..left.len().max(right.len()) {
        let column = left.get(at).unwrap_or(&0) + right.get(at).unwrap_or(&0) + carry;
        sum.push(column % 10);
        carry = column / 10;
    }
    sum.push(carry);
    sum
}

/// `left` − `right`, where `left` is not the smaller.
pub fn subtract(left: &[u8], right: &[u8]) -> Vec<u8> {
    let mut borrow = 0;
    left.iter()
        .enumerate()
        .map(|(at, digit)| {
            let taken = right.get(at).unwrap_or(&0) + borrow;
            borrow = u8::from(*digit < taken);
            digit + 10 * borrow - taken
        })
        .collect()
}
