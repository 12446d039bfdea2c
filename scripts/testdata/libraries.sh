# Catalogues of released versions, which every later version must upgrade. Sourced by testdata/generate.
#
# Each .sql file is the catalogue that a release wrote, frozen when it was released:
#   { sqlite3 catalogue.sqlite .dump; sqlite3 catalogue.sqlite \
#       "SELECT 'PRAGMA application_id = ' || application_id || ';' FROM pragma_application_id
#        UNION ALL SELECT 'PRAGMA user_version = ' || user_version || ';' FROM pragma_user_version"; } > VERSION.sql
# Its library was scanned with --renditions grid --digest, and has a title, two owners, a collection, a vanished and a quarantined file.

for dump in "$parts"/libraries/*.sql; do
  version=$(basename "$dump" .sql)
  rm -f "libraries/$version.sqlite"
  { echo "PRAGMA page_size = 1024;"; cat "$dump"; } | sqlite3 "libraries/$version.sqlite"
  record "libraries/$version.sqlite" "the catalogue of a library of version $version, which later versions upgrade" \
    "the frozen dump scripts/testdata/libraries/$version.sql, by sqlite3"
done
