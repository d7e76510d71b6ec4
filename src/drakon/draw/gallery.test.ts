import { expect, it } from "vitest";
import { checkJson } from "../testing/json-diagram.ts";
import { galleryPage } from "./gallery.ts";

const exhibit = (name: string, json: unknown) => ({ name, ...checkJson(json) });
const good = exhibit("good <one>", { items: { 1: { type: "branch", branchId: 0, one: "2" }, 2: { type: "end" } } });
const bad = exhibit("bad", { items: { 1: { type: "branch", branchId: 0, one: "gone" } } });

it("a gallery shows every diagram in both themes, with its name and findings, and loads nothing from the network", () => {
  const page = galleryPage([good, bad], { language: "en" });
  expect(page.match(/<svg /g)).toHaveLength(4);
  expect(page).toContain("good &lt;one&gt;");
  expect(page).toContain("<li>E-DANGLING 1: ");
  expect(page).toContain("no findings");
  expect(page).not.toMatch(/<script|<link|@import|src=/);
  expect(galleryPage([good], { language: "uk" })).toContain("без зауважень");
});
