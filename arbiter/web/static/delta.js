// Patches between consecutive positions; arbiter/records/exports/delta.py makes them and explains the format.

/** The new value; the old one stays as it is, and the new one shares what is equal. */
export function apply(old, patch) {
  if (patch === undefined || patch === null) return old;
  if (Array.isArray(patch)) return patch[0];
  const list = Array.isArray(old), made = list ? old.slice(0, patch.length ?? old.length) : { ...old };
  for (const key of Object.keys(patch)) {
    if (list && key === "length") continue;
    if (patch[key] === 0) delete made[key];
    else put(made, key, apply(Object.hasOwn(made, key) ? made[key] : undefined, patch[key]));
  }
  return made;
}

/** Set a member of that name, whatever the name is. An object without a prototype would do as well, but is ten times slower. */
function put(object, key, value) {
  if (key === "__proto__") Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
