/** The key of an icon in its file: usually a decimal number, but any string is allowed. */
export type IconId = string;
