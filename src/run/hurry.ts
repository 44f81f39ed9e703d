/** SIGUSR2, or the server of a worker, asks for everything now. Until somebody can do that, it is remembered. */
let isAsked = false
let act = () => {
  isAsked = true
}

export const hurry = (): void => act()

export function onHurry(next: () => void): void {
  act = next
  if (isAsked) next()
}
