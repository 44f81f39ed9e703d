import type { Case } from '../../support/case.ts'

export default { name: 'slow-clients', how: '', run: async () => [] } satisfies Case
