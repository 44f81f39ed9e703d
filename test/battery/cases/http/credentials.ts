import type { Case } from '../../support/case.ts'

export default { name: 'credentials', how: '', run: async () => [] } satisfies Case
