/** Adds ANSI colours if they are enabled. */
export type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly cyan: Paint;
}

export const styleFor = (colours: boolean): Style => {
  const paint = (code: number, end: number) => (text: string) =>
    colours ? `\u001b[${code}m${text}\u001b[${end}m` : text;
  return { bold: paint(1, 22), dim: paint(2, 22), red: paint(31, 39), green: paint(32, 39), cyan: paint(36, 39) };
};
