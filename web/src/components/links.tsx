import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { peerSessionIn } from "../../../src/domain/federation/peer-origin.ts";

interface LinkContent {
  readonly className?: string;
  readonly children: ReactNode;
}

export const ProposalLink = ({ id, ...rest }: LinkContent & { readonly id: string }) => (
  <Link to="/proposals/$id" params={{ id }} {...rest} />
);

export const RunLink = ({ run, ...rest }: LinkContent & { readonly run: string }) => (
  <Link to="/runs/$run" params={{ run }} {...rest} />
);

/**
 * A session of this garden, or of another one (`alice/scout`). `search` chooses a commit of it, and what is shown of that. Any other name,
 * such as the one that another garden has for a third one's session, leads nowhere from here.
 */
export function SessionLink({ name, ...rest }: LinkContent & { readonly name: string; readonly search?: object }) {
  const peer = peerSessionIn(name);
  if (peer)
    return (
      <Link to="/other-gardens/$garden/$session" params={{ garden: peer.peer, session: peer.session }} {...rest} />
    );
  if (name.includes("/")) return <span className={rest.className}>{rest.children}</span>;
  return <Link to="/sessions/$name" params={{ name }} {...rest} />;
}

/** `search` selects a tab of the agent's page, and a part of that tab. */
export const AgentLink = ({ slug, ...rest }: LinkContent & { readonly slug: string; readonly search?: object }) => (
  <Link to="/agents/$slug" params={{ slug }} {...rest} />
);

/** `search` selects a view, a past commit or a line of the note. */
export const NotePageLink = ({ path, ...rest }: LinkContent & { readonly path: string; readonly search?: object }) => (
  <Link to="/notes/$" params={{ _splat: path }} {...rest} />
);

/** Leads to the chain of causes of a commit, note, proposal or run. */
export const WhyPageLink = ({ subject, ...rest }: LinkContent & { readonly subject: string }) => (
  <Link to="/why" search={{ subject }} {...rest} />
);

export const CommitLink = ({ commit }: { readonly commit: string }) => (
  <WhyPageLink subject={commit}>
    <code>{commit.slice(0, 10)}</code>
  </WhyPageLink>
);
