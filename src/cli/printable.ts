/**
 * Makes untrusted text safe for a terminal: replaces control characters, which could move the cursor, bidirectional marks, and
 * invisible characters that a model would read (U+E0000 to U+E007F).
 */
export const printable = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu,
      "\ufffd",
    );
