import { xmlText } from "../measure/wrap-text.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Fast path: most values are path data and class names. */
const HARMLESS = /^[\w .,:;#()%/+-]*$/;

/** Escapes a text for content and attributes of XML and HTML. */
export const escaped = (text: string): string =>
  HARMLESS.test(text) ? text : xmlText(text).replace(/[&<>"']/g, (char) => ESCAPES[char]!);

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One element. Attributes are escaped; children must be markup already. */
export function element(name: string, attributes: Attributes, children?: string): string {
  let start = `<${name}`;
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined) start += ` ${key}="${typeof value === "number" ? digits(value) : escaped(value)}"`;
  }
  return children === undefined || children === "" ? `${start}/>` : `${start}>${children}</${name}>`;
}

/** A number rounded to hundredths of a pixel, so that the output has the same bytes everywhere. */
export const digits = (value: number): string => String(Math.round(value * 100) / 100);
