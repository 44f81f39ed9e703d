import type { Case } from '../../support/case.ts'

export default { name: 'limiter', how: '', run: async () => [] } satisfies Case
