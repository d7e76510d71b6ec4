import { failureTable } from "../../base/failure.ts";
import { openApiPath } from "../openapi.ts";
import type { Route } from "../route.ts";
import { typeText } from "../shape-text.ts";

/** `docs/http.md`, derived from the table of routes. A test keeps the page up to date. */
export function httpGuide(routes: readonly Route[]): string {
  const shapes = new Map<string, string>();
  return `${HEAD}
${index(routes)}
${routes.map((route) => section(route, shapes)).join("\n")}
## Shapes

${[...shapes]
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, shape]) => `\`\`\`ts\ntype ${name} = ${shape}\n\`\`\`\n`)
  .join("\n")}
## Errors

\`{"error": {"code", "message", "details"}, "correlationId"}\`; \`details.hint\` says what to do, \`details.problems\` lists all
invalid fields of a request, \`details.part\` names the part that is unavailable.

| code | status | retry? |
|---|---|---|
${Object.entries(failureTable)
  .map(([code, { status, retry }]) => `| \`${code}\` | ${status} | ${retry ? "yes" : "no"} |`)
  .join("\n")}
`;
}

const HEAD = `# HTTP

Generated from the table of routes in [src/gateway/routes.ts](../src/gateway/routes.ts); \`GET /openapi.json\` is the same for programs.

- **Owner**: opens the one-time link that \`bloom up\` or \`bloom token link\` prints, and gets a cookie; scripts send
  \`Authorization: Bearer\` with a token of \`bloom token new\`. A change with a cookie needs an \`Origin\` of this garden, or the header
  \`X-Requested-With\`.
- **Agent**: a bearer token: of one run, or of an agent outside of the garden (\`bloom agent token SLUG\`), valid while it is active.
- **Guest**: the code of a zone (\`bloom token new --zone NAME\`), as a bearer token or through \`/sign-in?code=\`.
- **Webhook**: \`X-Bloom-Webhook: <name>\`, \`X-Bloom-Timestamp: <seconds since 1970>\`,
  \`X-Bloom-Signature: sha256=<hex HMAC-SHA256 over timestamp + "." + body>\`. A signature is valid once and for five minutes.

\`X-Correlation-Id\` makes a submission (or \`metadata.correlation_id\`) and, for a month, a request to run an agent, fork a run or move one
idempotent: a repetition gets the first answer. \`?lang=uk|en\` or \`Accept-Language\` chooses the language of messages. Too many
changes a minute: 429 with \`Retry-After\`.

## From a submission to its reason

\`\`\`sh
URL=http://127.0.0.1:4440    # as \`bloom up\` prints it
AUTH="Authorization: Bearer $(bloom token new my-script --json | grep -o 'bloom1[^"]*')"

# Submit. The answer holds \`proposal_id\` and \`digest\`; nothing is changed yet.
curl -s $URL/inbox/submit -H "$AUTH" -H 'Content-Type: application/json' -d '{"intent": {
  "action": "propose-note", "payload": {"path": "notes/mint.md", "text": "# Mint\\n"}, "summary": "Remember the mint"}}'

# Review the effect (\`review.files\`), decide on exactly that, and ask why the line is there.
curl -s $URL/proposals/$ID -H "$AUTH"
curl -s $URL/proposals/$ID -H "$AUTH" -H 'Content-Type: application/json' -X PATCH \\
  -d '{"verdict": "approve", "digest": "'$DIGEST'"}'
curl -s "$URL/audit/why?subject=notes/mint.md:1" -H "$AUTH"
\`\`\`
`;

/** Table of all endpoints; the sections below have the schemas. */
function index(routes: readonly Route[]): string {
  const lines = routes.map((route) => {
    const name = `${route.method} ${openApiPath(route.path)}`;
    return `| [\`${name}\`](#${anchorOf(name)}) | ${route.allows.join(", ")} | ${route.summary.en} |`;
  });
  return ["## All endpoints", "", "| endpoint | for | does |", "|---|---|---|", ...lines, ""].join("\n");
}

/** The anchor that GitHub derives from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

function section(route: Route, shapes: Map<string, string>): string {
  const lines = [
    `## ${route.method} ${openApiPath(route.path)}`,
    "",
    `${upper(route.summary.en)}. For: ${route.allows.join(", ")}.`,
    "",
  ];
  const parts: [string, string][] = [];
  if (route.query) parts.push(["query", typeText(route.query, "input", shapes)]);
  if (route.body) parts.push(["body", typeText(route.body, "input", shapes)]);
  parts.push(["answer", typeof route.answer === "string" ? route.answer : typeText(route.answer, "output", shapes)]);
  for (const [name, shape] of parts) lines.push("```ts", `// ${name}`, shape, "```", "");
  return lines.join("\n");
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
