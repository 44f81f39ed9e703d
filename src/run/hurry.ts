/** True if the command keeps running, and listens to SIGUSR2. */
export const isServer = (command = ''): boolean => ['serve', 'worker'].includes(command)

/** SIGUSR2, or the server of a worker, asks to run everything now. The request is kept until `onHurry` sets a handler. */
let isAsked = false
let act = () => {
  isAsked = true
}

export const hurry = (): void => act()

export function onHurry(next: () => void): void {
  act = next
  if (isAsked) next()
}
