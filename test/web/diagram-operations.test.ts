import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patient } from "../../src/base/testing/patience.ts";
import type { Diagram } from "../../src/drakon/diagram/diagram.ts";
import { drawDiagram } from "../../src/drakon/draw/draw.ts";
import { applyOperation } from "../../src/drakon/edit/apply-operation.ts";
import { drawn, one, simple } from "../../src/drakon/testing/short-diagram.ts";
import { type Direction, neighbour } from "../../web/src/pages/diagram/neighbours.ts";
import { type DiagramPlace, placesIn } from "../../web/src/pages/diagram/places.ts";
import { DRAGS, TABLE, text, type Wish } from "./diagram-wishes.ts";
import { type WebGround, webGround } from "./ground.ts";

let ground: WebGround;
beforeAll(async () => {
  ground = await webGround();
});
afterAll(() => ground.stop());

/** The time limit on a busy machine. */
const PATIENT = { timeout: patient(60_000) } as const;

const spot = (page: Page, key: string) => page.locator(`[data-place="${key}"]`);

/** The point on the screen that selects a place: the middle of a box, or of a line. */
async function middle(page: Page, key: string): Promise<{ readonly x: number; readonly y: number }> {
  await spot(page, key).scrollIntoViewIfNeeded();
  return spot(page, key)
    .locator(".seen")
    .evaluate((seen: SVGGeometryElement) => {
      const box = seen.getBBox();
      const at =
        seen.tagName === "path"
          ? seen.getPointAtLength(seen.getTotalLength() / 2)
          : new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
      const { x, y } = new DOMPoint(at.x, at.y).matrixTransform(seen.getScreenCTM()!);
      return { x, y };
    });
}

interface Way {
  readonly choose: (page: Page, diagram: Diagram, key: string) => Promise<void>;
  readonly press: (page: Page, wish: Wish) => Promise<void>;
  readonly done: (page: Page) => Promise<void>;
}

const palette = (page: Page, button: string) =>
  page.getByRole("region", { name: "Actions" }).getByRole("button", { name: button });
const sending = (page: Page) => page.locator("form.diagram-text button[type=submit]");

const WAYS: Readonly<Record<string, Way>> = {
  mouse: {
    choose: async (page, _, key) => {
      const { x, y } = await middle(page, key);
      await page.mouse.click(x, y);
    },
    press: (page, { button }) => palette(page, button).first().click(),
    done: (page) => sending(page).click(),
  },
  touch: {
    choose: async (page, _, key) => {
      const { x, y } = await middle(page, key);
      await page.touchscreen.tap(x, y);
    },
    press: (page, { button }) => palette(page, button).first().tap(),
    done: (page) => sending(page).tap(),
  },
  keyboard: {
    choose: async (page, diagram, key) => {
      const now = await page.locator("[role=option][aria-selected=true]").getAttribute("data-place");
      for (const arrow of arrows(diagram, now!, key)) await page.keyboard.press(arrow);
      if (await page.getByText(/^Select (?:the|a line)/).isVisible()) await page.keyboard.press("Enter");
    },
    press: async (page, { key, button }) => {
      if (key !== undefined) await page.keyboard.press(key);
      else {
        await palette(page, button).focus();
        await page.keyboard.press("Enter");
      }
    },
    done: (page) => page.keyboard.press("Control+Enter"),
  },
};

/** The shortest sequence of arrow keys from one place to another. */
function arrows(diagram: Diagram, from: string, to: string): readonly string[] {
  const places = placesIn(diagram, drawDiagram(diagram, { language: "en", name: "gardener" }).picture);
  const ways = new Map<DiagramPlace, readonly string[]>([[places.find(({ key }) => key === from)!, []]]);
  for (const [place, way] of ways) {
    if (place.key === to) return way;
    for (const direction of ["up", "down", "left", "right"] as const satisfies Direction[]) {
      const next = neighbour(diagram, places, place, direction);
      if (next && !ways.has(next)) ways.set(next, [...way, `Arrow${direction[0]!.toUpperCase()}${direction.slice(1)}`]);
    }
  }
  throw new Error(`${to} cannot be reached from ${from}`);
}

const draft = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const kept = localStorage.getItem("garden-bloom.draft.diagram.gardener");
    return kept === null ? "" : (JSON.parse(kept) as { text: string }).text;
  });

async function takeIn(page: Page, { source }: Diagram): Promise<void> {
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByRole("textbox", { name: "Or paste the text" }).fill(source.text);
  await page.getByRole("button", { name: "Import text" }).click();
  await expect.poll(() => draft(page), PATIENT).toBe(source.text);
}

async function open(way: string): Promise<{ readonly page: Page; readonly problems: readonly string[] }> {
  const window = await ground.open(way === "touch" ? { width: 390, height: 800, touch: true } : {});
  await window.page.goto(new URL("app/agents/gardener/diagram", ground.url).href);
  await window.page.getByRole("listbox").waitFor();
  return window;
}

test.for(Object.keys(WAYS))("U-1 FORMAT §8 every operation can be done and undone by %s", async (name) => {
  const way = WAYS[name]!;
  const { page, problems } = await open(name);
  for (const [items, wishes] of TABLE) {
    const diagram = drawn(items);
    await takeIn(page, diagram);
    for (const wish of wishes) {
      const applied = applyOperation(diagram, wish.does);
      const meant = applied.kind === "edited" ? applied.diagram.source.text : applied.reason.en;
      await page.getByRole("listbox").focus();
      await way.choose(page, diagram, wish.at);
      await way.press(page, wish);
      for (const [at, typed] of (wish.texts ?? []).entries())
        await page.locator("form.diagram-text textarea").nth(at).fill(typed);
      if (wish.texts) await way.done(page);
      if (wish.to !== undefined) await way.choose(page, diagram, wish.to);
      await expect.poll(() => draft(page), { message: JSON.stringify(wish.does), ...PATIENT }).toBe(meant);
      if (name === "keyboard") await page.keyboard.press("Control+z");
      else await page.getByRole("button", { name: "Undo" }).click();
      await expect.poll(() => draft(page), PATIENT).toBe(diagram.source.text);
      // Arrow keys start at the last selection, which an undo may have moved.
      if (name === "keyboard") await page.keyboard.press("Home");
    }
  }
  await page.context().close();
  expect(problems).toEqual([]);
});

test.for(["mouse", "touch"])(
  "U-1 icons, lines and addresses can be dragged with %s, and new icons from the palette",
  async (name) => {
    const { page, problems } = await open(name);
    const hand = await handOf(page, name);
    const wrong: unknown[] = [];
    for (const [items, drags] of DRAGS) {
      const diagram = drawn(items);
      await takeIn(page, diagram);
      await page.getByRole("button", { name: "Fit" }).click();
      for (const [from, to, does] of drags) {
        // On a phone the palette covers the lower part of the page.
        await page.locator(".diagram-frame").evaluate((frame) => frame.scrollIntoView());
        const applied = applyOperation(diagram, does);
        await hand.down(await middle(page, from));
        await hand.move(await middle(page, to));
        // Drop targets and the drop position are visible before the drop.
        await page.locator(`[data-place="${to}"].yes`).waitFor();
        const shown = await page.locator(".open").count();
        await hand.up();
        await expect
          .poll(() => draft(page), PATIENT)
          .toBe(applied.kind === "edited" ? applied.diagram.source.text : "");
        if (shown === 0 && does.op !== "make-loop") wrong.push([does, "no place is shown"]);
        await page.getByRole("button", { name: "Undo" }).click();
        await expect.poll(() => draft(page), PATIENT).toBe(diagram.source.text);
      }
    }
    const diagram = drawn(simple);
    await takeIn(page, diagram);
    await page.getByRole("button", { name: "Fit" }).click();
    const asker = page.getByRole("list", { name: "New icons" }).getByRole("button", { name: "Question" });
    // On a phone the new icons lie above the drawing.
    await asker.scrollIntoViewIfNeeded();
    const chip = (await asker.boundingBox())!;
    await hand.down({ x: chip.x + 10, y: chip.y + 10 });
    await hand.move(await middle(page, "line 2.one"));
    await page.locator('[data-place="line 2.one"].yes').waitFor();
    await hand.up();
    await page.getByRole("textbox", { name: "Question" }).fill(text);
    await sending(page).click();
    const asking = applyOperation(diagram, { op: "insert-question", at: one("2"), text });
    await expect.poll(() => draft(page), PATIENT).toBe(asking.kind === "edited" ? asking.diagram.source.text : "");
    await page.context().close();
    expect({ wrong, problems }).toEqual({ wrong: [], problems: [] });
  },
);

interface Hand {
  readonly down: (at: { readonly x: number; readonly y: number }) => Promise<void>;
  readonly move: (to: { readonly x: number; readonly y: number }) => Promise<void>;
  readonly up: () => Promise<void>;
}

/** A mouse, or a finger with a long press that picks up the element under it. */
async function handOf(page: Page, name: string): Promise<Hand> {
  let [x, y] = [0, 0];
  if (name === "mouse") {
    return {
      down: async (at) => {
        [x, y] = [at.x, at.y];
        await page.mouse.move(x, y);
        await page.mouse.down();
      },
      move: async (to) => {
        await page.mouse.move(x + 10, y + 10);
        await page.mouse.move(to.x, to.y, { steps: 4 });
      },
      up: () => page.mouse.up(),
    };
  }
  const cdp = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd") =>
    cdp.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
  return {
    down: async (at) => {
      [x, y] = [at.x, at.y];
      await touch("touchStart");
      const inDrawing = await page.evaluate(
        (point) => document.elementFromPoint(point.x, point.y)?.closest(".diagram-frame") !== null,
        at,
      );
      if (inDrawing) await page.locator(".diagram-ghost").waitFor();
    },
    move: async (to) => {
      const [fromX, fromY] = [x, y];
      for (let step = 1; step <= 4; step++) {
        [x, y] = [fromX + ((to.x - fromX) * step) / 4, fromY + ((to.y - fromY) * step) / 4];
        await touch("touchMove");
      }
    },
    up: () => touch("touchEnd").then(() => undefined),
  };
}

test("U-1 consecutive steps can be selected, cut, and pasted into another agent's diagram", async () => {
  const { page, problems } = await open("keyboard");
  const diagram = drawn({ 1: "branch >2 #0", 2: "action a >3", 3: "comment b >4", 4: "action c >5", 5: "end" });
  await takeIn(page, diagram);
  await spot(page, "icon 2").click();
  await page.keyboard.press("Shift+ArrowDown");
  const chosenTogether = await page.locator("[role=option][aria-selected=true]").count();
  await page.keyboard.press("Control+x");
  await expect.poll(() => page.locator(".on-box").count(), PATIENT).toBe(3);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => draft(page), PATIENT).toBe(diagram.source.text);
  await page.goto(new URL("app/agents/librarian/diagram", ground.url).href);
  await page.getByRole("option", { name: /^Line: quote ← quotes\[0\]/ }).click();
  await page.keyboard.press("Control+v");
  await page.getByRole("option", { name: "Line: a → b", exact: true }).waitFor();
  await page.getByRole("option", { name: "Line: quote ← quotes[0] → a", exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.context().close();
  expect({ chosenTogether, problems }).toEqual({ chosenTogether: 2, problems: [] });
});
