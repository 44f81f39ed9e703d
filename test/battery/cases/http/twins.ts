import type { Case } from '../../support/case.ts'

export default { name: 'twins', how: '', run: async () => [] } satisfies Case
