"""What things cost: desktop.py and boards.py measure playouts per second, harness.py the lab."""
