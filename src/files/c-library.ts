import type { FFIFunction } from 'bun:ffi'

/** glibc, and musl on both architectures. */
const LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1']

/** Functions of the C library of Linux, and `ptr` for their arguments. Null elsewhere. */
export function cFunctions<const Functions extends Record<string, FFIFunction>>(functions: Functions) {
  // Not with `import`, which would delay the start of every command.
  const { dlopen, ptr } = process.getBuiltinModule('bun:ffi') as typeof import('bun:ffi')
  for (const library of LIBRARIES)
    try {
      return { ptr, ...dlopen(library, functions).symbols }
    } catch {}
  return null
}
