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

test.each<[string, object, string | undefined]>([
  ["a folder", { newFileLocation: "folder", newFileFolderPath: "/Inbox/New/" }, "Inbox/New"],
  ["the top folder", { newFileLocation: "root", newFileFolderPath: "Inbox" }, undefined],
  ["the folder of the open note", { newFileLocation: "current", newFileFolderPath: "Inbox" }, undefined],
  ["a path out of the vault", { newFileLocation: "folder", newFileFolderPath: "../x" }, undefined],
  ["a number", { newFileLocation: "folder", newFileFolderPath: 7 }, undefined],
])("I-3 new notes go where Obsidian's settings say: %s", (_, settings, folder) => {
  expect(readVaultSettings(JSON.stringify(settings)).newNoteFolder).toBe(folder);
});
