//! The schema of the documents is a file that people and programs read: it says what is written.

use std::path::Path;
use test_support::golden::Golden;

#[test]
fn schemas_are_as_documented() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    let mut golden = Golden::new();
    for name in wire::SCHEMA_NAMES {
        golden.check(&folder.join(format!("{name}.json")), &wire::schema(name).expect("it has a schema"));
    }
    golden.finish();
}
