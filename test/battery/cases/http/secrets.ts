import type { Case } from '../../support/case.ts'

export default { name: 'secrets', how: '', run: async () => [] } satisfies Case
