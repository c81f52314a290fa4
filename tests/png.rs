//! Pictures as PNG. Needs the feature: cargo test --release --features png --test png

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use std::fs;

use support::*;
use texam::{
    run::StoredRun,
    show::plot::{Page, PassWeights, Theme, run_panels},
};

/// Draws into the folder of a test; the bytes of the picture.
fn drawn(bench: &Bench, line: &str, name: &str) -> Vec<u8> {
    let path = bench.path(name);
    succeeds(&[words(line), vec!["-o", &path]].concat());
    fs::read(path).unwrap()
}

/// Width, height and colours of a PNG, and its first pixel.
fn decoded(bytes: &[u8]) -> (u32, u32, usize, [u8; 3]) {
    let picture = resvg::tiny_skia::Pixmap::decode_png(bytes).unwrap();
    let pixels = picture.data();
    let colours: std::collections::BTreeSet<&[u8]> = pixels.chunks(4).collect();
    (picture.width(), picture.height(), colours.len(), pixels[..3].try_into().unwrap())
}

#[test]
fn a_png_has_its_width_its_ground_and_many_colours() {
    let bench = Bench::new(0);
    let line = "plot stats/gm1988.stat --panel agreement,ahead";
    let (width, height, colours, ground) = decoded(&drawn(&bench, line, "a.png"));
    assert_eq!((width, ground), (960, [255, 255, 255]));
    assert!((200..500).contains(&height) && colours > 50, "{height} {colours}");
    let (width, tall, _, ground) = decoded(&drawn(&bench, &format!("{line} --width 400 --dark"), "b.PNG"));
    assert_eq!(width, 400);
    assert!(tall > height, "one below the other");
    assert!(ground.iter().all(|&part| part < 60), "{ground:?}");
}

#[test]
fn the_same_line_makes_the_same_bytes() {
    let bench = Bench::new(0);
    let line = "plot params/best.par --table n_cen,sh";
    assert_eq!(drawn(&bench, line, "a.png"), drawn(&bench, line, "b.png"));
}

#[test]
fn the_trace_of_a_game_is_drawn_too() {
    let bench = Bench::new(1);
    let picture = drawn(&bench, &format!("eval --trace {}:1 --depth 1", bench.games()), "trace.png");
    assert!(decoded(&picture).2 > 10);
}

#[test]
fn a_page_without_room_is_drawn_and_the_colours_of_a_page_are_the_light_ones() {
    let record = StoredRun::open("stats/gm1988.stat".as_ref()).unwrap().record;
    for panel in run_panels(&record, &PassWeights::new()) {
        let page = Page { title: "run".to_string(), note: String::new(), panels: vec![panel] };
        for width in [1, 40, 300] {
            let picture = page.png(width, Theme::Page).unwrap();
            assert_eq!(decoded(&picture).0, width);
            assert_eq!(picture, page.png(width, Theme::Light).unwrap());
        }
    }
}
