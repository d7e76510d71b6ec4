/** Lines that a change adds and removes: `+6 −14`. */
export const LineCounts = ({ added, removed }: { readonly added: number; readonly removed: number }) => (
  <span className="counts">
    {added > 0 && <span className="added">+{added}</span>} {removed > 0 && <span className="removed">−{removed}</span>}
  </span>
);
