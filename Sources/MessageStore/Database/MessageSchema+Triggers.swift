extension MessageSchema {
  /// What derives the last message and the draft of the thread with this id, in SQL.
  static func derived(ofThread id: String) -> String {
    """
    UPDATE thread SET (last, time, hasAttachment, lastFailed) = (
      SELECT m.id, max(ifnull(m.time, 0), ifnull(d.time, 0)),
        CASE WHEN d.id IS NOT NULL AND d.time >= ifnull(m.time, d.time) THEN EXISTS (SELECT 1 FROM draftFile WHERE draft = d.id)
          ELSE ifnull(m.attachments, 0) > 0 END,
        ifnull(NOT m.incoming AND m.failed, 0)
      FROM (SELECT 1) LEFT JOIN message m ON m.id = (
          SELECT id FROM message WHERE thread = \(id) ORDER BY time DESC, id DESC LIMIT 1)
        LEFT JOIN draft d ON d.thread = \(id))
    WHERE id = \(id)
    """
  }

  /// Triggers that keep the derived columns of threads, the word index and the list of files to remove, whatever statement changes a row.
  static let triggers = """
    CREATE TRIGGER message_added AFTER INSERT ON message BEGIN
      UPDATE thread SET messages = messages + 1, unread = unread + NEW.unread WHERE id = NEW.thread;
      \(derived(ofThread: "NEW.thread"));
      INSERT INTO messageText (rowid, subject, body, names) VALUES (NEW.id, NEW.subject, NEW.body, NEW.names);
    END;
    CREATE TRIGGER message_removed AFTER DELETE ON message BEGIN
      UPDATE thread SET messages = messages - 1, unread = unread - OLD.unread WHERE id = OLD.thread;
      \(derived(ofThread: "OLD.thread"));
      INSERT INTO messageText (messageText, rowid, subject, body, names) VALUES ('delete', OLD.id, OLD.subject, OLD.body, OLD.names);
    END;
    CREATE TRIGGER message_read AFTER UPDATE OF unread ON message WHEN OLD.unread <> NEW.unread AND OLD.thread = NEW.thread BEGIN
      UPDATE thread SET unread = unread + NEW.unread - OLD.unread WHERE id = NEW.thread;
    END;
    CREATE TRIGGER message_moved AFTER UPDATE OF thread ON message WHEN OLD.thread <> NEW.thread BEGIN
      UPDATE thread SET messages = messages - 1, unread = unread - OLD.unread WHERE id = OLD.thread;
      UPDATE thread SET messages = messages + 1, unread = unread + NEW.unread WHERE id = NEW.thread;
      \(derived(ofThread: "OLD.thread"));
      \(derived(ofThread: "NEW.thread"));
    END;
    CREATE TRIGGER message_changed AFTER UPDATE OF time, attachments, failed ON message
    WHEN OLD.time <> NEW.time OR OLD.attachments <> NEW.attachments OR OLD.failed <> NEW.failed BEGIN
      \(derived(ofThread: "NEW.thread"));
    END;
    CREATE TRIGGER message_text AFTER UPDATE OF subject, body, names ON message BEGIN
      INSERT INTO messageText (messageText, rowid, subject, body, names) VALUES ('delete', OLD.id, OLD.subject, OLD.body, OLD.names);
      INSERT INTO messageText (rowid, subject, body, names) VALUES (NEW.id, NEW.subject, NEW.body, NEW.names);
    END;
    CREATE TRIGGER draft_added AFTER INSERT ON draft WHEN NEW.thread IS NOT NULL BEGIN
      UPDATE thread SET draft = NEW.id WHERE id = NEW.thread;
      \(derived(ofThread: "NEW.thread"));
    END;
    CREATE TRIGGER draft_changed AFTER UPDATE OF time ON draft WHEN NEW.thread IS NOT NULL BEGIN
      \(derived(ofThread: "NEW.thread"));
    END;
    CREATE TRIGGER draft_removed AFTER DELETE ON draft WHEN OLD.thread IS NOT NULL BEGIN
      UPDATE thread SET draft = NULL WHERE id = OLD.thread;
      \(derived(ofThread: "OLD.thread"));
    END;
    CREATE TRIGGER draftFile_added AFTER INSERT ON draftFile BEGIN
      \(derived(ofThread: "(SELECT thread FROM draft WHERE id = NEW.draft)"));
    END;
    CREATE TRIGGER draftFile_removed AFTER DELETE ON draftFile BEGIN
      INSERT OR IGNORE INTO garbage VALUES (OLD.digest);
      \(derived(ofThread: "(SELECT thread FROM draft WHERE id = OLD.draft)"));
    END;
    CREATE TRIGGER part_removed AFTER DELETE ON part WHEN OLD.digest IS NOT NULL BEGIN
      INSERT OR IGNORE INTO garbage VALUES (OLD.digest);
      DELETE FROM verdict WHERE digest = OLD.digest AND NOT EXISTS (SELECT 1 FROM part WHERE digest = OLD.digest);
    END;
    """
}
