//! Any text as a `.par`: what is accepted is printed and read back as the same weights.

use texam::par;

crate::target!("par", check, 200, 600);

fn check(bytes: &[u8]) {
    let Ok(read) = par::parse(&String::from_utf8_lossy(bytes)) else { return };
    read.weights.validate().expect("weights that are accepted are valid");
    let remarks = [String::from_utf8_lossy(bytes).chars().take(200).collect()];
    for remarks in [&remarks[..], &[]] {
        let printed = par::format(&read.weights, remarks);
        let again = par::parse(&printed).unwrap_or_else(|error| panic!("{error} in {printed}"));
        assert_eq!(again.weights, read.weights);
        assert_eq!(again.weights.quantised(), read.weights.quantised());
        assert!(again.missing.is_empty());
    }
}
