import fc from 'fast-check'

/** The same values in each run, so that a test fails for what was changed. `bun run proof properties` draws others. */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_240_102) })

export * from 'fast-check'
export default fc

/** Any characters, in valid Unicode. The units of `fc.string` take most of a second to set up. */
export const anyText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(...[0x7f, 0xd7ff, 0x10ffff].map((max) => fc.integer({ min: 0, max }))), { maxLength })
    .map((points) => String.fromCodePoint(...points).toWellFormed())
