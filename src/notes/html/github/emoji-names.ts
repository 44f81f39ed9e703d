/** GitHub's names of emoji. In a file of its own, so that they are loaded when they are first needed, without their descriptions. */
export { nameToEmoji } from 'gemoji'
