import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { qrCode } from "./qr-code.ts";

const text = (length: number): string =>
  Array.from({ length }, (_, i) => "SHA256:abcXYZ/+0189"[(i * 7 + length) % 19]).join("");
const drawn = (rows: readonly (readonly boolean[])[]): string =>
  rows.map((row) => row.map((dark) => (dark ? "#" : ".")).join("")).join("\n");

const codes: [length: number, size: number, digest: string][] = [
  [1, 21, "3c262b229fad40d0"],
  [14, 21, "097178b4d9240684"],
  [50, 33, "acf43def05d741cc"],
  [62, 33, "064470a9e94330a7"],
  [106, 41, "e1030fca7f40bf6b"],
  [152, 49, "1c109c4e2f31302a"],
  [213, 57, "313e18c9edd5e6d1"],
];

describe("QR codes", () => {
  // An independent decoder (jsQR 1.4.0) has read every one of these codes; the digests keep them as they are.
  test.each(codes)(
    "a text of %i bytes makes the code of %i modules that a reader has decoded",
    (length, size, digest) => {
      const code = qrCode(text(length));
      expect([code.length, createHash("sha256").update(drawn(code)).digest("hex").slice(0, 16)]).toEqual([
        size,
        digest,
      ]);
    },
  );

  test("a text of 214 bytes is refused", () => {
    expect(() => qrCode(text(214))).toThrow(RangeError);
  });
});
