import fc from 'fast-check'

/** The same values in each run, so that a test fails for what was changed. `bun run proof properties` draws others. */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_240_102) })

export * from 'fast-check'
export default fc
