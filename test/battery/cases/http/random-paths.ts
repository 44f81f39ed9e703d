import type { Case } from '../../support/case.ts'

export default { name: 'random-paths', how: '', run: async () => [] } satisfies Case
