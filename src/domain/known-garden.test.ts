import { expect, test } from "vitest";
import { addressFrom } from "./garden-address.ts";
import { startCommand } from "./known-garden.ts";

const address = "http://127.0.0.1:4441/";

test.each([
  ["on the same machine, the garden's own address", "http://localhost:4440/app/", { address }, address],
  ["on another machine, none for a garden of its machine alone", "http://ann.local:4440/app/", { address }, undefined],
  [
    "on another machine, the machine's name and the garden's port",
    "http://ann.local:4440/app/",
    { address, network: true as const },
    "http://ann.local:4441/",
  ],
  [
    "an address that is not a loopback one as it is",
    "https://garden.example/app/",
    { address: "http://192.0.2.7:4441/" },
    "http://192.0.2.7:4441/",
  ],
  ["none for a garden that is not served", "http://localhost:4440/app/", {}, undefined],
])("U-1 a browser gets %s", (_, page, garden, expected) => {
  expect(addressFrom(page, garden)).toBe(expected);
});

test.each([
  ["/garden/ann/rose", "bloom up --garden /garden/ann/rose"],
  ["/garden/ann/my roses", "bloom up --garden '/garden/ann/my roses'"],
  ["/garden/ann/it's; rm -r $HOME", String.raw`bloom up --garden '/garden/ann/it'\''s; rm -r $HOME'`],
])("U-1 the command that serves %s can be pasted into a shell", (dir, expected) => {
  expect(startCommand(dir)).toBe(expected);
});
