import { expect, test } from "vitest";
import { readVaultSettings } from "./vault-settings.ts";

test.each<[string, string | undefined, string, boolean]>([
  ["no file", undefined, "shortest", false],
  ["no JSON", "{", "shortest", false],
  ["an unknown format", '{"newLinkFormat":"x"}', "shortest", false],
  ["both settings", '{"newLinkFormat":"relative","useMarkdownLinks":true}', "relative", true],
])("I-3 Obsidian's settings are read from %s", (_, json, newLinkFormat, useMarkdownLinks) => {
  expect(readVaultSettings(json)).toMatchObject({ newLinkFormat, useMarkdownLinks });
});

test.each<[string, string, boolean]>([
  ["Templates/", "templates/Day.md", true],
  ["Templates/", "Notes/Templates/Day.md", false],
  ["/^Daily\\/2024/", "Daily/2024-01.md", true],
  ["/[/", "a.md", false],
  ["/(a+)+$/", "aaaa.md", false],
])("I-3 the filter %s of Obsidian excludes %s: %s", (filter, path, excluded) => {
  expect(readVaultSettings(JSON.stringify({ userIgnoreFilters: [filter] })).isExcluded(path)).toBe(excluded);
});
