// Patches between consecutive positions; arbiter/records/exports/delta.py makes them and explains the format.

/** The new value; the old one stays as it is, and the new one shares what is equal. */
export function apply(old, patch) {
  if (patch === undefined || patch === null) return old;
  if (Array.isArray(patch)) return patch[0];
  const made = Array.isArray(old) ? old.slice(0, patch.length ?? old.length) : { __proto__: null, ...old };
  for (const [key, each] of Object.entries(patch)) {
    if (Array.isArray(old) && key === "length") continue;
    if (each === 0) delete made[key];
    else made[key] = apply(made[key], each);
  }
  return made;
}
