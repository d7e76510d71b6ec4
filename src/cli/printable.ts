/**
 * Text of others for a terminal: no control character that could move the cursor, no mark that turns a line around, no letter
 * that a person does not see and a model reads (U+E0000 and what follows).
 */
export const printable = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu,
      "\ufffd",
    );
