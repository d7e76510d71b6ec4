import { isProof } from "./layers.ts";
import { lineAt, type Source, source } from "./source.ts";

/** One rule: a forbidden pattern, the files it applies to, and the exceptions. */
export interface Rule {
  readonly name: string;
  readonly where: (path: string) => boolean;
  /** Exempt files, each with the reason. An exemption that is not needed is an error too. */
  readonly except?: Readonly<Record<string, string>>;
  readonly find: (source: Source) => readonly Finding[];
  /** A file with one offence, which the rule must find exactly once. */
  readonly caught: Source;
}

export interface Finding {
  readonly line: number;
  readonly what: string;
}

export const findingsOf = (rule: Rule, sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => rule.where(path) && !Object.hasOwn(rule.except ?? {}, path))
    .flatMap((each) => rule.find(each).map(({ line, what }) => `${each.path}:${line}: ${what}`));

const product = (path: string): boolean => /^(?:src|web|deploy)\//.test(path) && !isProof(path);
/** Product code on the server. Browser and edge may use their own clock and random numbers: nothing durable depends on them. */
const served = (path: string): boolean => product(path) && !/^(?:web|deploy)\//.test(path);
const ours = (path: string): boolean => /^(?:src|web|deploy|test|bench|scripts|bin)\//.test(path);
const isCode = (path: string): boolean => ours(path) && /\.[cm]?[jt]sx?$/.test(path);
const everywhere = (): boolean => true;

/** Finds a pattern in the code, where comments and strings do not count. */
const inCode = (pattern: RegExp) => matches(pattern, ({ code }) => code);
const inText = (pattern: RegExp) => matches(pattern, ({ text }) => text);

const matches =
  (pattern: RegExp, part: (source: Source) => string) =>
  (from: Source): Finding[] =>
    [...part(from).matchAll(new RegExp(pattern, `g${pattern.flags}`))].map((match) => ({
      line: lineAt(from.text, match.index),
      what: match[0].trim(),
    }));

const importing =
  (pattern: RegExp) =>
  ({ imports }: Source): Finding[] =>
    imports
      .filter(({ specifier, typeOnly }) => pattern.test(specifier) && !typeOnly)
      .map(({ specifier, line }) => ({ line, what: `imports ${specifier}` }));

const MAX_LINES = 400;
const FOGGY = "utils?|helpers?|managers?|services?|common";

export const rules: readonly Rule[] = [
  {
    name: "only the world reads the clock",
    where: served,
    except: { "src/base/world.ts": "it is the world" },
    find: inCode(
      /\bDate\.now\b|\bnew Date\(\s*\)|\bnew Date\b(?!\s*\()|(?<!\bnew )\bDate\(|\bperformance\.timeOrigin\b/,
    ),
    caught: source("src/garden/x.ts", "const at = new Date();"),
  },
  {
    name: "only the world draws random numbers",
    where: served,
    except: { "src/base/world.ts": "it is the world" },
    find: inCode(/\bMath\.random\b|\brandom(?:Bytes|UUID|Int|Fill|FillSync)\s*\(|\bgetRandomValues\b/),
    caught: source("src/garden/x.ts", "const id = crypto.randomUUID();"),
  },
  {
    name: "only the configuration reads the environment",
    where: product,
    except: { "src/config.ts": "it is the configuration" },
    find: inCode(/\bprocess\.env\b|\bimport\.meta\.env\b/),
    caught: source("src/garden/x.ts", "const port = process.env.PORT;"),
  },
  {
    name: "no module of tests sets a hook when it is loaded, because a worker loads it once for several test files",
    where: (path) => /^(?:src|test)\//.test(path) && !/\.(?:test|soak)\.ts$/.test(path),
    except: { "test/after-tests.ts": "each test file reads it" },
    find: inCode(/^(?:before|after)(?:Each|All)\(/m),
    caught: source("src/garden/testing/x.ts", "afterEach(() => undefined);"),
  },
  {
    name: "no code ends the process",
    where: product,
    find: inCode(/\bprocess\.(?:exit|abort|reallyExit)\s*\(/),
    caught: source("src/cli/x.ts", "if (bad) process.exit(1);"),
  },
  {
    name: "only the command line's output prints",
    where: product,
    find: inCode(/\bconsole\.\w+/),
    caught: source("src/garden/x.ts", 'console.log("done");'),
  },
  {
    name: "only git-process.ts starts git, and other programs need a reason",
    where: product,
    except: {
      "src/adapters/repo/git/process/git-process.ts": "the only place that starts git",
      "src/adapters/store/dir/file-maker.ts": "`sync -f`: Node cannot sync a whole file system",
      "src/adapters/messenger/messenger.ts": "the program that a destination of notify names",
      "src/adapters/program/run-program.ts": "the program that the owner names (`bloom session exec`)",
      "src/main.ts": "the editor that the person named (VISUAL, EDITOR)",
    },
    find: importing(/^(?:node:)?(?:child_process|cluster)$/),
    caught: source("src/garden/x.ts", 'import { spawn } from "node:child_process";'),
  },
  {
    name: "only adapters touch files",
    where: (path) => product(path) && !path.startsWith("src/adapters/"),
    find: importing(/^(?:node:)?fs(?:\/promises)?$/),
    caught: source("src/garden/x.ts", 'import { readFileSync } from "node:fs";'),
  },
  {
    name: `no file is longer than ${MAX_LINES} lines`,
    where: isCode,

    find: ({ text }) => {
      const count = text.trimEnd().split("\n").length;
      return count > MAX_LINES ? [{ line: MAX_LINES + 1, what: `${count} lines` }] : [];
    },
    caught: source("src/garden/x.ts", "let a = 1;\n".repeat(MAX_LINES + 1)),
  },
  {
    name: "no file has a vague name",
    where: ours,
    find: ({ path }) => {
      const word = path.split(/[/.-]/).find((part) => new RegExp(`^(?:${FOGGY})$`, "i").test(part));
      return word ? [{ line: 1, what: `named "${word}"` }] : [];
    },
    caught: source("src/garden/string-utils.ts", ""),
  },
  {
    name: "no type or function has a vague name",
    where: product,
    find: inCode(/\b(?:class|interface|type|function|const)\s+\w*(?:Utils?|Helpers?|Manager|Service)\b/),
    caught: source("src/garden/x.ts", "export class ProposalManager {}"),
  },
  {
    name: "no test is skipped or focused",
    where: (path) => isProof(path),
    find: inCode(
      /\b(?:it|test|describe|suite|bench)(?:\.\w+)*\.(?:only|skip|todo)\b|\b(?:fit|fdescribe|xit|xdescribe|xtest)\(/,
    ),
    caught: source("src/garden/x.test.ts", 'test.only("x", () => {});'),
  },
  {
    name: "no module has a default export",
    where: product,
    except: { "web/vite.config.ts": "Vite asks for one", "deploy/edge/worker.ts": "Cloudflare asks for one" },
    find: inCode(/\bexport\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b/),
    caught: source("src/garden/x.ts", "export default function x() {}"),
  },
  {
    name: "no comment begins with a question word in place of its subject",
    where: isCode,
    find: inText(/^ *(?:\/\/|\/\*\*?|\*) (?:What|Whether|Who|Whoever|Of|Somebody)\b/m),
    caught: source("src/garden/x.ts", ["/*", "* What it holds. */"].join("")),
  },
  {
    name: "no path of a developer's machine is written down",
    where: everywhere,
    find: inText(/(?<![\w.~-])\/(?:home|root|work|Users)\/\w+|\b[A-Z]:\\Users\\/),
    caught: source("docs/x.md", ["See ", "home", "ann", "garden"].join("/")),
  },
];

/** Imported packages that package.json does not list; the product may import only `dependencies`. */
export function unlistedPackages(sources: readonly Source[], manifest: Manifest): string[] {
  const forUse = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }));
  const forAll = new Set([...forUse, ...Object.keys(manifest.devDependencies ?? {})]);
  return sources
    .filter(({ path }) => isCode(path))
    .flatMap((each) => {
      // Packages of the web app are in its bundle and are not installed with the product.
      const listed = served(each.path) || each.path.startsWith("bin/") ? forUse : forAll;
      return each.imports
        .map(({ specifier, line }) => ({ line, name: packageOf(specifier) }))
        .filter(({ name }) => name !== undefined && !listed.has(name))
        .map(({ name, line }) => `${each.path}:${line}: ${name} is not listed in package.json`);
    });
}

export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function packageOf(specifier: string): string | undefined {
  if (/^(?:\.|node:|\/)/.test(specifier)) return undefined;
  const [first, second] = specifier.split("/");
  return first!.startsWith("@") ? `${first}/${second}` : first;
}

/** Broken relative links of Markdown files. */
export function deadLinks(sources: readonly Source[], exists: (path: string) => boolean): string[] {
  return sources
    .filter(({ path }) => path.endsWith(".md"))
    .flatMap((each) => {
      const prose = each.text.replace(/```[\s\S]*?```|`[^`\n]*`/g, (code) => code.replace(/[^\n]/g, " "));
      return [...prose.matchAll(/\]\((?!\w+:|#)([^)#\s]+)[^)]*\)/g)]
        .filter(([, target]) => !exists(joined(each.path, target!)))
        .map((match) => `${each.path}:${lineAt(prose, match.index)}: ${match[1]} does not exist`);
    });
}

function joined(from: string, target: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of decodeURIComponent(target).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
