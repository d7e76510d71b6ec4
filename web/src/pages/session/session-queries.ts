import { queryOptions } from "@tanstack/react-query";
import { peerSessionIn } from "../../../../src/domain/federation/peer-origin.ts";
import { type AnswerOf, call } from "../../api/client.ts";

/**
 * Reads of a session that a written name chooses: of this garden (`scout`), or of another one (`alice/scout`). Both answer alike. Their keys
 * begin with the endpoint, as those of `query` do.
 */

type Sizes = AnswerOf<"GET /sessions/:name/changes">;
type Files = AnswerOf<"GET /sessions/:name/commits/:commit">;
type Commits = AnswerOf<"GET /sessions/:name">["commits"];
type Traces = AnswerOf<"GET /traces/:commit">["traces"];

const paramsOf = (written: string) => {
  const found = peerSessionIn(written);
  return found && { name: found.peer, session: found.session };
};

/** The sizes of a branch follow from its newest commit: the answer for one head never changes. */
export const sizesQuery = (written: string, head: string) => {
  const peer = paramsOf(written);
  return queryOptions<Sizes>({
    queryKey: [
      peer ? "GET /federation/gardens/:name/sessions/:session/changes" : "GET /sessions/:name/changes",
      written,
      head,
    ],
    queryFn: ({ signal }) =>
      peer
        ? call("GET /federation/gardens/:name/sessions/:session/changes", { params: peer, signal })
        : call("GET /sessions/:name/changes", { params: { name: written }, signal }),
    placeholderData: (before) => before,
  });
};

export const filesQuery = (written: string, commit: string) => {
  const peer = paramsOf(written);
  return queryOptions<Files>({
    queryKey: [
      peer ? "GET /federation/gardens/:name/sessions/:session/commits/:commit" : "GET /sessions/:name/commits/:commit",
      written,
      commit,
    ],
    queryFn: ({ signal }) =>
      peer
        ? call("GET /federation/gardens/:name/sessions/:session/commits/:commit", {
            params: { ...peer, commit },
            signal,
          })
        : call("GET /sessions/:name/commits/:commit", { params: { name: written, commit }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
};

export const commitsQuery = (written: string) => {
  const peer = paramsOf(written);
  return queryOptions<Commits>({
    queryKey: [peer ? "GET /federation/gardens/:name/sessions/:session" : "GET /sessions/:name", written, "commits"],
    queryFn: async ({ signal }) => {
      const read = peer
        ? await call("GET /federation/gardens/:name/sessions/:session", { params: peer, signal })
        : await call("GET /sessions/:name", { params: { name: written }, signal });
      return read.commits;
    },
    retry: false,
  });
};

/** The traces of a commit; of another garden's, those that its owner published. */
export const tracesQuery = (written: string, commit: string) => {
  const peer = paramsOf(written);
  return queryOptions<Traces>({
    queryKey: [
      peer ? "GET /federation/gardens/:name/sessions/:session/traces" : "GET /traces/:commit",
      written,
      commit,
      "traces",
    ],
    async queryFn({ signal }) {
      if (!peer) return (await call("GET /traces/:commit", { params: { commit }, signal })).traces;
      const read = await call("GET /federation/gardens/:name/sessions/:session/traces", { params: peer, signal });
      return read.traces.find((each) => each.commit === commit)?.traces ?? [];
    },
  });
};
