#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| assent_fuzz::document(data));
