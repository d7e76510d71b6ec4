/** The name of an icon in its file: a decimal number in most, any string in some. */
export type IconId = string;
