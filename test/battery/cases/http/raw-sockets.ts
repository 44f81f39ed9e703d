import type { Case } from '../../support/case.ts'

export default { name: 'raw-sockets', how: '', run: async () => [] } satisfies Case
