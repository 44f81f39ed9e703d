import type { Case } from '../../support/case.ts'

export default { name: 'bounded-work', how: '', run: async () => [] } satisfies Case
