import { expect, test } from "vitest";
import { fingerprint, keyPairOf } from "./ssh-key.ts";
import { voiceWords } from "./voice-words.ts";

const printOf = (...bytes: number[]): string =>
  `SHA256:${Buffer.from([...bytes, ...Array<number>(32 - bytes.length).fill(0)])
    .toString("base64")
    .replace(/=+$/, "")}`;

test("S-10 each byte of a fingerprint has a word of its own in both languages", () => {
  const words = Array.from({ length: 256 }, (_, byte) => voiceWords(printOf(byte)));
  expect([new Set(words.map(({ en }) => en)).size, new Set(words.map(({ uk }) => uk)).size]).toEqual([256, 256]);
});

test("S-10 twelve words stand for the first 96 bits, and other keys have other words", () => {
  const keys = Array.from({ length: 50 }, (_, i) => fingerprint(keyPairOf(Buffer.alloc(32, i + 1)).publicKey));
  const words = keys.map((key) => voiceWords(key));
  expect([
    words[0]!.en.split(" ").length,
    words[0]!.uk.split(" ").length,
    new Set(words.map(({ en }) => en)).size,
  ]).toEqual([12, 12, 50]);
  expect(
    voiceWords(printOf(0x00, 0xff, 0x1a, 0x35))
      .en.split(" ")
      .slice(0, 4),
  ).toEqual(["baban", "zazub", "depol", "gojak"]);
});
