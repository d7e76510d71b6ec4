import type { Text } from "../../base/text.ts";
import { readFrontSource } from "./front-source.ts";

/** The rules of the Agent Skills format for a folder. Names of the fields are those of the format. */
const KEYS = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
const MOST_LINES = 500;

/** Each rule of the format that a skill breaks; empty: other products can load it. */
export function skillProblems(folder: string, files: ReadonlyMap<string, Uint8Array>): Text[] {
  const bytes = files.get("SKILL.md");
  if (!bytes) return [{ en: "no SKILL.md", uk: "немає SKILL.md" }];
  const source = readFrontSource(bytes, "required");
  if (source.kind === "refused") return [source.why];
  const { name, description, compatibility, metadata, license } = source.front;
  const found: Text[] = [];
  const expect = (holds: boolean, en: string, uk: string): void => {
    if (!holds) found.push({ en, uk });
  };
  const isName = typeof name === "string" && name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
  expect(
    isName,
    "name: 1 to 64 of a-z, 0-9 and single inner hyphens",
    "name: 1–64 символи a-z, 0-9 і поодинокі дефіси всередині",
  );
  expect(name === folder, "name: equals the folder's name", "name: дорівнює назві теки");
  expect(isText(description, 1024), "description: 1 to 1,024 characters", "description: 1–1024 символи");
  expect(license === undefined || typeof license === "string", "license: text", "license: текст");
  expect(
    compatibility === undefined || isText(compatibility, 500),
    "compatibility: 1 to 500 characters",
    "compatibility: 1–500 символів",
  );
  const isMap = typeof metadata === "object" && metadata !== null && !Array.isArray(metadata);
  const texts =
    metadata === undefined || (isMap && Object.values(metadata).every((value) => typeof value === "string"));
  expect(texts, "metadata: a group of texts", "metadata: група текстів");
  for (const key of Object.keys(source.front))
    expect(KEYS.includes(key), `${key}: no key of the format`, `${key}: немає такого ключа у форматі`);
  expect(source.body.split("\n").length <= MOST_LINES, "the body has more than 500 lines", "тіло має понад 500 рядків");
  return found;
}

const isText = (value: unknown, most: number): boolean =>
  typeof value === "string" && value.trim() !== "" && value.length <= most;
