import { Link } from "@tanstack/react-router";

/** A tag of notes, leading to the notes that have it. */
export const TagLink = ({ tag }: { readonly tag: string }) => (
  <Link to="/notes" search={{ tag }} className="note-tag">
    {tag}
  </Link>
);
