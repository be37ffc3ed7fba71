"""What only the board runs: a service that thinks for a host at the other end of a serial line.

main.py     starts it when the board boots
service.py  requests and answers, and the search between them
console.py  the serial line, as MicroPython has it
clock.py    the chip's clock
heap.py     how much of the heap is used and free
"""
