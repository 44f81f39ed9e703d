/** Set by `build.ts` in a binary; undefined when run from source. */
declare const BUILD: { readonly commit: string | null; readonly platform: string } | undefined

const build = typeof BUILD === 'undefined' ? undefined : BUILD

/** The commit this was built from, in full; null if the checkout had changes or this runs from source. */
export const commit: string | null = build?.commit ?? null

export const isBinary = build !== undefined

/** The platform as archives of a release name it, such as `linux-x64-musl`. */
export const platform: string = build?.platform ?? `${process.platform}-${process.arch}`
