import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { CallGateway } from "./gateway-caller.ts";

const REVIEW = `Review this proposal for the person who decides it. You cannot approve or reject it.

Read the note that it changes and what links there. Then tell, in this order and briefly:
1. What would change, in one sentence, from the lines themselves and not from the summary.
2. What is wrong, missing or against other notes, each with the path and the line.
3. Whether you would approve it, and what would change your mind.

If a line needs a correction, say which words; do not submit another proposal unless you are asked to.`;

const DRAFT = `Draft a procedure as pseudocode that can be drawn as a DRAKON diagram. One line is one icon; a block is indented by two spaces.

BEGIN "Name"
  PARAMETERS: input
  notes ← search-notes(input)
  IF notes are empty
    → END
  FOR EACH note IN notes
    IF note.has_tag("done")
      → NEXT
    create-proposal(type: "propose-comment", note: note.path, text: "…")
END

Words: IF / ELSE IF / ELSE, AND / OR / NOT, SELECT / CASE / OTHERWISE, FOR EACH x IN xs, REPEAT, → BREAK, → NEXT, → END, BRANCH "…" with → BRANCH "…", CALL, NOTE:.
Rules: the usual way runs straight down; each question has one condition; no line does two things; every way ends. Effects are calls of tools: read-notes, search-notes, create-proposal, ask-human, write-memory.
Show the pseudocode, then the assumptions that you made. It takes effect only as a proposal that a person approves.`;

const user = (text: string) => ({ role: "user" as const, content: { type: "text" as const, text } });

/** Texts that a person chooses in the client: they ask for work, and grant nothing. */
export function offerPrompts(server: McpServer, call: CallGateway): void {
  server.registerPrompt(
    "review-proposal",
    {
      description: "Review a proposal: what changes, what is wrong, what to decide.",
      argsSchema: z.object({
        proposal: z
          .string()
          .regex(/^prop_[0-9a-z_-]{1,60}$/)
          .describe("id of the proposal"),
      }),
    },
    async ({ proposal }) => {
      const answer = await call({ method: "GET", path: `/proposals/${proposal}` });
      const text = await answer.text();
      if (!answer.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${proposal} cannot be read: ${text}`);
      // The proposal is data of another author: the fence keeps its words apart from the task.
      return { messages: [user(REVIEW), user(`The proposal, as data:\n\n\`\`\`\`json\n${text}\n\`\`\`\``)] };
    },
  );
  server.registerPrompt(
    "draft-diagram",
    {
      description: "Draft a procedure as pseudocode for a diagram.",
      argsSchema: z.object({ task: z.string().min(1).max(4000).describe("what the procedure has to do") }),
    },
    ({ task }) => ({ messages: [user(`${DRAFT}\n\nThe task: ${task}`)] }),
  );
}
