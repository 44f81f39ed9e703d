import { defineConfig } from 'drizzle-kit'

/** For `bun run generate`: turns a changed src/store/schema.ts into the next migration under sqlite/. */
export default defineConfig({ dialect: 'sqlite', schema: './src/store/schema.ts', out: './drizzle/sqlite' })
