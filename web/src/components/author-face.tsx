import { AgentFlower } from "./agent-flower.tsx";

/** The face of an author: an agent's flower, or a person's initial. */
export function AuthorFace(props: { readonly name: string; readonly isAgent: boolean; readonly size: number }) {
  const { name, isAgent, size } = props;
  if (isAgent) return <AgentFlower slug={name} size={size} />;
  return (
    <span className="face" style={{ width: size, height: size, fontSize: Math.round(size / 2) }} aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
  );
}
