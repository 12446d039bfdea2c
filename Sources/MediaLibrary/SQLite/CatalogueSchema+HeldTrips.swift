/// Decisions about the texts of trips, reports about them, and which texts changed after a moderator's release: a part of migration "5" (docs/decisions/0142).
extension CatalogueSchema {
  /// The parts of it, in the order in which they run. After ``moderatedNotes``, whose trigger it replaces.
  static let moderatedTrips = [tripTables, tripTriggers]

  /// Tables with data that exists nowhere else.
  static let heldTripRows = ["trip_report"]
  /// All names that it adds.
  static let heldTripNames =
    heldTripRows + ["trip_report_reader", "trip_report_time", "trip_held", "audit_trip", "decisions_of_erased_trip"]

  private static let tripTables = """
    -- Shown 0, held 1: its owner alone sees it.
    ALTER TABLE trip ADD COLUMN state INTEGER NOT NULL DEFAULT 0;
    -- Whether the texts were changed since a moderator released them: then that decision is about other texts.
    ALTER TABLE trip ADD COLUMN edited INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE moment ADD COLUMN edited INTEGER NOT NULL DEFAULT 0;
    -- Complaints of readers about trips that no moderator has answered yet, one per reader and trip.
    CREATE TABLE trip_report (
      trip INTEGER NOT NULL REFERENCES trip, reader TEXT NOT NULL, reason TEXT NOT NULL, time INTEGER NOT NULL,
      PRIMARY KEY (trip, reader)) WITHOUT ROWID;
    CREATE INDEX trip_report_reader ON trip_report (reader);
    CREATE INDEX trip_report_time ON trip_report (time);
    CREATE INDEX trip_held ON trip (state) WHERE state = \(Moment.State.held.sql);
    -- The trip that an entry is about.
    ALTER TABLE audit ADD COLUMN trip INTEGER;
    CREATE INDEX audit_trip ON audit (trip) WHERE trip IS NOT NULL;
    """

  private static let tripTriggers = """
    DROP TRIGGER audit_changed;
    CREATE TRIGGER audit_changed BEFORE UPDATE ON audit WHEN new.reason IS NOT NULL OR new.id <> old.id OR new.time IS NOT old.time
      OR new.actor IS NOT old.actor OR new.action IS NOT old.action OR new.digest IS NOT old.digest
      OR new.file IS NOT old.file OR new.image IS NOT old.image OR new.moment IS NOT old.moment
      OR new.trip IS NOT old.trip BEGIN
      SELECT RAISE(ABORT, 'the audit trail is only added to');
    END;
    -- As for a moment: who decided what and when stays.
    CREATE TRIGGER decisions_of_erased_trip AFTER DELETE ON trip BEGIN
      DELETE FROM trip_report WHERE trip = old.id;
      UPDATE audit SET reason = NULL WHERE trip = old.id AND reason IS NOT NULL;
    END;
    """
}
