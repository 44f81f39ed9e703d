import type { Case } from '../../support/case.ts'

export default { name: 'signals', how: '', run: async () => [] } satisfies Case
